# The tool on its own repository: the examples, except the two that have findings on purpose.
modules {
  include = ["examples"]
  exclude = ["examples/broken", "examples/quickstart"]
}
