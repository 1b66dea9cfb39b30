import { withoutRootDot } from "../addresses.ts"
import type { AppContext } from "./context.ts"
import { ApiError } from "./errors.ts"
import { FORM, type Operation } from "./operation.ts"
import { contentTypeOf } from "./read-body.ts"

/**
 * Returns middleware for a POST to a page. A page of this origin must have sent it, so that no other site acts for a person
 * who is signed in, and its content type must be that of the route. The text of a form is then kept if the request fails.
 * @throws ApiError 403 `cross_site`, 415
 */
export const requireOwnPost =
  ({ contentType }: Operation) =>
  async (c: AppContext, next: () => Promise<void>): Promise<void> => {
    if (withoutRootDot(c.req.header("Origin") ?? "") !== c.get("origin")) throw new ApiError("cross_site")
    const taken = contentType ?? "application/json"
    if (contentTypeOf(c) !== taken) throw new ApiError("unsupported_media_type", `Send the body as ${taken}.`)
    c.set("keepsForm", contentType === FORM)
    await next()
  }
