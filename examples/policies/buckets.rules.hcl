# No bucket is open to the public: it has a block of its own, or the account has one.
rule "private-buckets" {
  message = "A bucket has a public access block, or the whole account has."

  resource "aws_s3_bucket" {}
  any_of {
    needs "aws_s3_bucket_public_access_block" {
      bucket                  = subject
      block_public_acls       = true
      block_public_policy     = true
      ignore_public_acls      = true
      restrict_public_buckets = true
    }
    needs "aws_s3_account_public_access_block" {
      block_public_acls       = true
      block_public_policy     = true
      ignore_public_acls      = true
      restrict_public_buckets = true
    }
  }
}

rule "blocks-stay" {
  message = "The public access block of a bucket is not taken away."
  when    = { actions = ["delete"] }

  forbid "aws_s3_bucket_public_access_block, aws_s3_account_public_access_block" {}
}

test "each bucket has a whole block" {
  plan = "plans/buckets.json"
  expect = {
    blocks-stay = "pass"
    private-buckets = {
      "aws_s3_bucket.closed" = "pass"
      "aws_s3_bucket.half"   = "fail"
      "aws_s3_bucket.open"   = "fail"
    }
  }
}

test "the account's block is enough" {
  plan   = "plans/account.json"
  expect = { private-buckets = "pass" }
}
