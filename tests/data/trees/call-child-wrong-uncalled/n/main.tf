variable "x" {
  type = nothing
}
