variable "gpus" { type = number }
variable "machine" { type = string }
