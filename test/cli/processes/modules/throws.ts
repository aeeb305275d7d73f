throw new Error("No DATABASE_URL is set.");
