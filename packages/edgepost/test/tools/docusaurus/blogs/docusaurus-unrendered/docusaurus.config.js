export default { url: "https://kiln.example", baseUrl: "/" }
