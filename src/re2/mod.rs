//! RE2, the regular expressions of Go and so of Terraform.
