// One file: script and style stand inside the page, so that it works from a disk, offline and inside a notebook.
import { defineConfig, type Plugin } from "vite";

function onePage(): Plugin {
  return {
    name: "one-page",
    enforce: "post",
    generateBundle(_, bundle) {
      const page = bundle["index.html"];
      if (page?.type !== "asset") throw new Error("index.html is not in the bundle");
      let html = String(page.source);
      for (const [name, part] of Object.entries(bundle)) {
        if (name === "index.html") continue;
        if (part.type === "chunk") {
          const code = part.code.replaceAll("</script", "<\\/script").trim();
          html = html.replace(/<script type="module"[^>]*><\/script>/, "");
          html = html.replace("</body>", () => `<!--data-->\n<script type="module">${code}</script>\n</body>`);
        } else {
          html = html.replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${String(part.source).trim()}</style>`);
        }
        delete bundle[name];
      }
      page.source = html;
      page.fileName = "page.html";
    },
  };
}

/** Indents of the shaders' text are a tenth of three.js. */
function shadersWithoutIndents(): Plugin {
  return {
    name: "shaders-without-indents",
    transform: (code, id) => (/three\/build\/three\.(module|core)\.js$/.test(id) ? { code: code.replace(/\\n(?:\\t)+/g, "\\n").replace(/(?:\\n){2,}/g, "\\n"), map: null } : null),
  };
}

export default defineConfig({
  base: "./",
  build: { outDir: "../python/saltus/web", emptyOutDir: true, assetsInlineLimit: 1e6, target: "es2022", modulePreload: false, reportCompressedSize: false },
  plugins: [shadersWithoutIndents(), onePage()],
});
