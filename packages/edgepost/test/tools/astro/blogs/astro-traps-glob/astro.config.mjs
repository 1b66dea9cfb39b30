export default { site: "https://traps.example", build: { format: "file" } }
