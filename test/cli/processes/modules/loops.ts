process.stderr.write("It begins.\n");
for (;;);
