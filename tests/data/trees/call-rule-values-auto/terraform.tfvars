name = "abcd"
