"""The checker of the shapes in our signatures: beartype, an int being a float, too."""

from beartype import BeartypeConf, beartype

check = beartype(conf=BeartypeConf(is_pep484_tower=True))
