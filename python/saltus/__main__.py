from saltus.cli import main

main()
