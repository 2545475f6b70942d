name   = "abcd"
size   = "many" # no number
region = null   # not nullable
