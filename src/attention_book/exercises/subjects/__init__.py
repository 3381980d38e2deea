"""One module a subject: the inputs of its checks, and the mistakes that people make in it."""
