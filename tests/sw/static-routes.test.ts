import { describe, expect, it } from "vitest";
import { staticRoutes } from "../../src/sw/static-routes";

const kept = { page: "page-1", files: "files" };
const routes = (scope: string) => staticRoutes(scope, ["assets/index-1.js", "icon.svg", "index.html"], kept);

describe("staticRoutes", () => {
  it("answers a visit to the app by the kept page, and only without a query, which the worker has to see", () => {
    const [page] = routes("https://a.example/ear/");
    expect(page?.source).toEqual({ cacheName: "page-1" });
    expect(page?.condition).toEqual({
      urlPattern: { pathname: "/ear/", search: "", baseURL: "https://a.example/ear/" },
      requestMode: "navigate",
    });
  });

  it("answers files that never change by the cache of files, within its own path alone", () => {
    const [, files] = routes("https://a.example/ear/");
    expect(files?.source).toEqual({ cacheName: "files" });
    expect(files?.condition.urlPattern?.pathname).toBe("/ear/assets/*");
  });

  it("leaves to the worker what it keeps by other names, and everything else to the network", () => {
    const [, , rest] = routes("https://a.example/");
    expect(rest?.source).toBe("network");
    expect(rest?.condition.not?.or?.map(({ urlPattern }) => urlPattern?.pathname)).toEqual([
      "/",
      "/icon.svg",
      "/index.html",
    ]);
  });
});
