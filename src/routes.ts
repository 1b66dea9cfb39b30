import { accountRoutes } from "./accounts/routes.ts"
import { docsRoutes } from "./api-docs/routes.ts"
import { glossarySettingsRoutes } from "./author-pages/glossary-routes.ts"
import { authorImageRoutes } from "./author-pages/image-routes.ts"
import { newPostRoutes } from "./author-pages/new-post-routes.ts"
import { authorPostRoutes } from "./author-pages/post-routes.ts"
import { reviewRoutes } from "./author-pages/review-routes.ts"
import { blogSettingsRoutes } from "./author-pages/routes.ts"
import { translationSettingsRoutes } from "./author-pages/translations-routes.ts"
import { authorWebhookRoutes } from "./author-pages/webhook-routes.ts"
import { billingRoutes } from "./billing/routes.ts"
import { exportRoutes } from "./export/routes.ts"
import { healthRoute } from "./health.ts"
import type { Route } from "./http/route.ts"
import { imageRoutes } from "./images/routes.ts"
import { micropubRoutes } from "./micropub/routes.ts"
import { operatorRoutes } from "./operator/api.ts"
import { operatorPageRoutes } from "./operator/routes.ts"
import { postRoutes } from "./posts/routes.ts"
import { readerRoutes } from "./reader/routes.ts"
import { redirectRoutes } from "./redirects/routes.ts"
import { sessionRoutes } from "./sessions/routes.ts"
import { glossaryRoutes } from "./translations/glossary-routes.ts"
import { translationRoutes } from "./translations/routes.ts"
import { webhookRoutes } from "./webhooks/routes.ts"

/** Every route of the service. Fixed paths come before those that a slug could match. */
export const routes: Route[] = [
  ...docsRoutes,
  ...accountRoutes,
  ...redirectRoutes,
  ...webhookRoutes,
  ...billingRoutes,
  ...imageRoutes,
  ...translationRoutes,
  ...glossaryRoutes,
  ...postRoutes,
  ...micropubRoutes,
  ...operatorRoutes,
  ...operatorPageRoutes,
  healthRoute,
  ...sessionRoutes,
  ...blogSettingsRoutes,
  ...translationSettingsRoutes,
  ...newPostRoutes,
  ...authorImageRoutes,
  ...authorPostRoutes,
  ...reviewRoutes,
  ...authorWebhookRoutes,
  ...glossarySettingsRoutes,
  ...exportRoutes,
  ...readerRoutes,
]
