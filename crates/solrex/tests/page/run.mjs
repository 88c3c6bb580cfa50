// Runs the test files that are named in one process, so that they share a server and a browser.

for (const file of process.argv.slice(2)) await import(`./${file}`);
