export { bing } from "./bing.js";
export { brave } from "./brave.js";
export { googleCustomSearch } from "./google-custom-search.js";
export { searxng } from "./searxng.js";
export { serpApi } from "./serp-api.js";
