import { renderLayout } from "./layout.tsx"

interface Props {
  title: string
  detail: string
  errors: { field: string; message: string }[]
  request_id: string
}

/** An error, for people. */
export const renderProblem = ({ title, detail, errors, request_id }: Props) =>
  renderLayout({
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
        <p class="quiet">
          Request <code>{request_id}</code>
        </p>
      </>
    ),
  })
