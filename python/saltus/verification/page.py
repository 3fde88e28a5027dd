def page(rows, wait): return ""
