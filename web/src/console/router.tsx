import { enrol, outsideRoutes } from "../auth/routes.ts";
import { root } from "../shell/route.ts";
import { accountRoutes } from "./account-routes.ts";
import { catalogueRoutes } from "./catalogue-routes.ts";
import { orderRoutes } from "./order-routes.ts";
import { overviewRoutes } from "./overview-routes.ts";
import { authRoutes } from "./people-routes.ts";
import { pricingRoutes } from "./pricing-routes.ts";
import { reconRoutes } from "./recon-routes.ts";
import { shell } from "./shell.ts";

// Pages are entered in the …-routes.ts files, and each of those by its line in the tree below. Pages are fetched when
// they are opened. A page's component has a written return type (ReactNode), reads its filters and parameters with
// useSearch({ from: "/console/…" }) and useParams({ from: "/console/…" }), and never imports this file.

export const consoleTree = root.addChildren([
  ...outsideRoutes,
  enrol,
  shell.addChildren([
    ...overviewRoutes,
    ...accountRoutes,
    ...orderRoutes,
    ...catalogueRoutes,
    ...pricingRoutes,
    ...reconRoutes,
    ...authRoutes,
  ]),
]);
