"""The checker behind the shapes in our signatures: beartype, which here takes an int where a float is asked for."""

from beartype import BeartypeConf, beartype

check = beartype(conf=BeartypeConf(is_pep484_tower=True))
