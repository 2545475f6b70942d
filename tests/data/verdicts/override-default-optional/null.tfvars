a = null
n = null
