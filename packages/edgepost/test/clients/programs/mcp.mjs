// Writes a draft by `edgepost mcp`, and finds it. Each library has its own names.
const { LIBRARY, COMMAND, SLUG, PATH, EDGEPOST_URL, EDGEPOST_API_KEY } = process.env
const [command, ...args] = JSON.parse(COMMAND)
const started = { command, args, env: { PATH, EDGEPOST_URL, EDGEPOST_API_KEY } }

/** Connects. @returns the names of the tools, and a call of one, which returns its first text */
const open = {
  "@modelcontextprotocol/sdk": async () => {
    const { Client } = await import("@modelcontextprotocol/sdk/client/index.js")
    const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js")
    return viaClient(Client, StdioClientTransport)
  },
  "@modelcontextprotocol/client": async () => {
    const { Client } = await import("@modelcontextprotocol/client")
    const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio")
    return viaClient(Client, StdioClientTransport)
  },
  "@ai-sdk/mcp": async () => {
    const { createMCPClient } = await import("@ai-sdk/mcp")
    const { StdioMCPTransport, Experimental_StdioMCPTransport } = await import("@ai-sdk/mcp/mcp-stdio")
    const client = await createMCPClient({
      transport: new (StdioMCPTransport ?? Experimental_StdioMCPTransport)(started),
    })
    const tools = await client.tools()
    const call = async (name, input) =>
      (await tools[name].execute(input, { toolCallId: "1", messages: [] })).content[0].text
    return { names: Object.keys(tools), call, close: () => client.close() }
  },
}
const viaClient = async (Client, StdioClientTransport) => {
  const client = new Client({ name: "clients", version: "1.0.0" })
  await client.connect(new StdioClientTransport(started))
  const { tools } = await client.listTools()
  const call = async (name, input) => (await client.callTool({ name, arguments: input })).content[0].text
  return { names: tools.map(({ name }) => name), call, close: () => client.close() }
}

const { names, call, close } = await open[LIBRARY]()
if (!names.includes("draft_post")) console.log(`FAILED tools: ${names.join(" ")}`)
const made = await call("draft_post", { title: "A draft", body: "Some words.", slug: SLUG })
if (!made.includes(SLUG)) console.log(`FAILED draft: ${made}`)
const listed = await call("list_posts", { status: "DF" })
if (!listed.includes(SLUG)) console.log(`FAILED list: ${listed}`)
const missing = await call("read_post", { slug: "nothing-here" })
if (!missing.startsWith("Failed. ")) console.log(`FAILED error: ${missing}`)
await close()
