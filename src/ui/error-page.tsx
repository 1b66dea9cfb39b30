import { renderLayout } from "./layout.tsx"

interface Props {
  title: string
  detail: string
  errors: { field: string; message: string }[]
  request_id: string
  /** The path of the request: the page links to where that path begins. */
  path: string
}

/** Beginnings of paths, each a page to go back to, with the words of its link. */
const HOMES = [
  ["/settings/", "Back to the settings"],
  ["/operator/", "Back to the accounts"],
] as const

/** An error, for people. */
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
