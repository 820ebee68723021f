"""What the release is worth: information loss, query error, model error."""
