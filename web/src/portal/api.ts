import type { PortalApi } from "../portal-api.ts";
import { typedCalls, typedList } from "../ui/requests/typed-calls.ts";

export const { get, post, postWithoutRedirect } = typedCalls<PortalApi>();

export const useList = typedList<PortalApi>();
