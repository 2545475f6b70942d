# The tool on its own repository: the examples, but not the one that is broken on purpose.
modules {
  include = ["examples"]
  exclude = ["examples/broken"]
}
