import type { AuthApi } from "../../portal-api.ts";
import { typedCalls } from "./typed-calls.ts";

/** Signing in and the user's own security, the same at portal and console. */
export const authApi = typedCalls<AuthApi>();
