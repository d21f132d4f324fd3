import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

// `--mode console` or `--mode portal`: each site is built on its own, so that neither's pages are in the other.
export default defineConfig(({ mode }) => {
  const site = mode === "console" ? "console" : "portal";
  return {
    root: import.meta.dirname,
    base: `/${site}/`,
    plugins: [react(), tailwindcss(), preloadApp()],
    build: {
      outDir: `dist/${site}`,
      emptyOutDir: true,
      // Everything is asked for by name: inlined data would need a looser policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // The limit that counts is 200 kB of script as it is transferred at the first load.
      chunkSizeWarningLimit: 600,
      rollupOptions: { input: fileURLToPath(new URL(`${site}.html`, import.meta.url)) },
    },
  };
});

/** Adds a preload link for the portal's pages, which its first script imports only after the messages. */
function preloadApp(): Plugin {
  return {
    name: "preload-app",
    transformIndexHtml: {
      order: "post",
      handler: (_, { bundle = {} }) =>
        Object.values(bundle)
          .filter((file) => file.type === "chunk" && file.isDynamicEntry && file.name === "app")
          .map(({ fileName }) => ({ tag: "link", attrs: { rel: "modulepreload", crossorigin: true, href: `/portal/${fileName}` } })),
    },
  };
}
