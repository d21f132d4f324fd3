import { enrol, outsideRoutes } from "../../auth/routes.ts";
import { root } from "../../shell/route.ts";
import { shell, unknownPage } from "../shell.ts";
import { accountRoutes } from "./account-routes.ts";
import { catalogueRoutes } from "./catalogue-routes.ts";
import { orderRoutes } from "./order-routes.ts";
import { overviewRoutes } from "./overview-routes.ts";
import { pricingRoutes } from "./pricing-routes.ts";
import { reconRoutes } from "./recon-routes.ts";
import { authRoutes } from "./staff-routes.ts";

// Routes are defined in the …-routes.ts files and combined in the tree below. Pages are loaded when they are opened.
// A page component has an explicit return type (ReactNode), reads filters and parameters with
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
    unknownPage,
  ]),
]);
