"""Cases whose truth is a closed form, a published benchmark or an independent computation."""
