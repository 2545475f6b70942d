module {
  source = "./m"
}
