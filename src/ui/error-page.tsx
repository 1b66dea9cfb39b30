import { renderLayout } from "./layout.tsx"

interface Props {
  title: string
  detail: string
  errors: { field: string; message: string }[]
  request_id: string
  /** The path of the request, which selects the link back. */
  path: string
}

/** Prefixes of paths; each is a page to link to, with the link's text. */
const HOMES = [
  ["/settings/", "Back to the settings"],
  ["/operator/", "Back to the accounts"],
] as const

/** Renders an error as an HTML page: its detail, or the messages of invalid fields, and the request's id. */
export const renderProblem = ({ title, detail, errors, request_id, path }: Props) => {
  const [home, name] = HOMES.find(([start]) => path.startsWith(start)) ?? []
  return renderLayout({
    title,
    children: (
      <>
        <h1>{title}</h1>
        <p>{errors.length > 0 ? "Something has to be put right:" : detail}</p>
        {errors.length > 0 && (
          <ul>
            {errors.map(({ field, message }) => (
              <li>
                <strong>{field}</strong>: {message}
              </li>
            ))}
          </ul>
        )}
        {home && (
          <p>
            <a href={home}>{name}</a>
          </p>
        )}
        <p class="quiet">
          Request <code>{request_id}</code>
        </p>
      </>
    ),
  })
}
