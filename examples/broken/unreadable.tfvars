name = upper("abcd")
size = 
