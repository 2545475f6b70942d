defaults = { size = "many" }
items    = { one = {} }
