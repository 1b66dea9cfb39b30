import { renderLayout } from "./layout.tsx"

/** Renders what to do in a deployment that has no PUBLIC_ORIGIN yet. @param host of the request */
export const renderFirstRun = (host: string) =>
  renderLayout({
    title: "Nearly ready",
    head: <></>,
    children: (
      <>
        <h1>Nearly ready</h1>
        <p>The service runs, and does not know its address yet. Until then it answers nothing else.</p>
        <p>
          <code>npm run deploy</code> finds it out by itself. Or set this line in <code>wrangler.toml</code>, below{" "}
          <code>[vars]</code>, and deploy again:
        </p>
        <pre>
          <code>PUBLIC_ORIGIN = "https://{host}"</code>
        </pre>
        <p>With a domain of your own, set that instead: the API and sign-in then work at this address alone.</p>
      </>
    ),
  })
