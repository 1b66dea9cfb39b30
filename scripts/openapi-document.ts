// Bundled by openapi.ts, since Node cannot import what the routes import of workerd.
import { buildOpenApi } from "../src/api-docs/openapi.ts"
import { routes } from "../src/routes.ts"

export default buildOpenApi(routes)
