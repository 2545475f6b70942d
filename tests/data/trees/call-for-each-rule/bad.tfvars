m = { a = "A", b = "b", c = "c" }
