import { renderLayout } from "../ui/layout.tsx"

/** Renders the page of the service itself: what it is, and where to go on. @param blog the address of its only blog; null with none or several */
export const renderHomePage = (blog: string | null) =>
  renderLayout({
    title: "Publish posts by API",
    head: <></>,
    kind: "settings",
    children: (
      <>
        <h1>edgepost</h1>
        <p>
          A service that publishes blog posts by an API. It takes Markdown with images, stores the images as WebP, and
          translates posts into the author's languages.
        </p>
        <ul class="rows">
          {blog && (
            <li>
              <a href={blog}>The blog of this service</a>
            </li>
          )}
          <li>
            <a href="/docs/">Reference of the API</a>
          </li>
          <li>
            <a href="/settings/">Settings of your blog</a>
          </li>
        </ul>
      </>
    ),
  })
