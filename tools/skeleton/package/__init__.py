"""Chapter «number», *«title»*."""
