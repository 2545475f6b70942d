names = ["ab", "cde", "f"]
