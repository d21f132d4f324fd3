import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { toastError } from "../ui/overlays/toast.tsx";
import { keepCsrfToken } from "../ui/requests/api.ts";
import { authApi } from "../ui/requests/auth-api.ts";

/** Ends this browser's session and opens the sign-in page. */
export function useSignOut(): () => void {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const signOut = async () => {
    await authApi.post("/sign-out");
    keepCsrfToken(null);
    queries.clear();
    await navigate({ to: "/sign-in" });
  };
  return () => void signOut().catch(toastError);
}
