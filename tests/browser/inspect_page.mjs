// Opens a page in headless Chromium, uses it as a reader would, and prints as one JSON document
// what a reader could object to. What is acceptable the caller decides: a status other than 0
// means that something could not be looked at.
//
//     node inspect_page.mjs --chromium /usr/bin/chromium --page report.html [--screenshots DIR]

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

import axe from "axe-core";
import { chromium } from "playwright-core";

const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 390, height: 844 };
const VIEWPORTS = [WIDE, NARROW];
const LOOKS = VIEWPORTS.flatMap((viewport) =>
  ["light", "dark"].map((colorScheme) => ({ viewport, colorScheme })),
);
const DOWNLOADS_TRIED = 3;
const SWITCHES = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Defines `inPage`: what the checks ask of a document, from inside it. Must be self-contained. */
function defineInPage() {
  const OPERABLE =
    ":is(a[href], summary, button, input, select, textarea, [tabindex])" +
    ":not([tabindex^='-'], :disabled)";
  const ID_LISTS = new Set([
    "for", "headers", "aria-labelledby", "aria-describedby", "aria-controls", "aria-details",
    "aria-owns",
  ]);
  const visited = new Set();

  const all = (selector) => [...document.querySelectorAll(selector)];
  const nextFrame = () => new Promise(requestAnimationFrame);
  const tag = (element) => element.outerHTML.slice(0, 90);
  const isVisible = (element) => element.checkVisibility({ visibilityProperty: true });
  const operable = () => all(OPERABLE).filter(isVisible);
  const overflows = (element) => element.scrollWidth > element.clientWidth + 1;

  function unfold() {
    for (const details of all("details")) details.open = true;
  }

  /** Scrolls past everything: what loads lazily loads. */
  async function scrollThrough() {
    for (let y = 0; y < document.scrollingElement.scrollHeight; y += innerHeight) {
      scrollTo(0, y);
      await nextFrame();
    }
    scrollTo(0, 0);
  }

  /** What has the focus, or null where a walk by Tab ends: outside, or where it was before. */
  function stop() {
    const element = document.activeElement;
    const outside = !element || element === document.body || element === document.documentElement;
    if (outside || visited.has(element)) return null;
    visited.add(element);
    return {
      tag: tag(element),
      place: operable().indexOf(element),
      scrolls: overflows(element) || element.scrollHeight > element.clientHeight + 1,
      marked: isMarked(element),
      inView: isInView(element),
    };
  }

  function isMarked(element) {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    return (outlineStyle !== "none" && parseFloat(outlineWidth) > 0) || boxShadow !== "none";
  }

  /** A part of it at least: a box may be larger than the viewport. */
  function isInView(element) {
    const { top, bottom, left, right } = element.getBoundingClientRect();
    return top < innerHeight && bottom > 0 && left < innerWidth && right > 0;
  }

  /** Whether `element` scrolls sideways within a second: browsers do it smoothly. */
  async function scrollsSideways(element) {
    for (let frame = 0; frame < 60 && element.scrollLeft === 0; frame += 1) await nextFrame();
    return element.scrollLeft > 0;
  }

  /** Every reference to an id: links, `url(#…)` of drawings, labels and descriptions. */
  function references() {
    const elements = all("*");
    const ids = elements.map((element) => element.id).filter(Boolean);
    const known = new Set(ids);
    const found = elements.flatMap((element) =>
      [...element.attributes].flatMap(targets).map((target) => ({ target, tag: tag(element) })),
    );
    return {
      checked: found.length,
      missing: found.filter(({ target }) => !known.has(target)),
      duplicates: [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))],
    };
  }

  function targets({ name, value }) {
    if (ID_LISTS.has(name)) return value.split(/\s+/).filter(Boolean);
    if (name === "href" && value.startsWith("#")) return [decodeURIComponent(value.slice(1))];
    return [...value.matchAll(/url\(["']?#([^"')]+)/g)].map((match) => match[1]);
  }

  /** By how much the page is wider than its viewport, and what makes it so. */
  function overflow() {
    const pixels = Math.max(0, document.scrollingElement.scrollWidth - innerWidth);
    const tooWide = (element) => element.getBoundingClientRect().right > innerWidth + 1;
    const culprits = all("body *").filter((each) => tooWide(each) && !each.closest(".scroll, pre"));
    return { pixels, culprits: pixels ? culprits.slice(0, 5).map(tag) : [] };
  }

  globalThis.inPage = {
    isVisible, operable, overflow, overflows, references, scrollThrough, scrollsSideways, stop,
    tag, unfold,
  };
}

/** For `evaluate`: the tag of an element, as findings name it. */
const inPageTag = (element) => inPage.tag(element);

/**
 * `visit(options, look, listen)`: what `look` finds in a fresh context that shows `address`.
 * No context has a network; what the page asks for is heard by `listen` and never answered.
 */
function visitor(browser, address) {
  return async (options, look, listen = () => {}) => {
    const context = await browser.newContext({ offline: true, reducedMotion: "reduce", ...options });
    try {
      await context.addInitScript(defineInPage);
      const page = await context.newPage();
      listen(page);
      await page.goto(address);
      return await look(page);
    } finally {
      await context.close();
    }
  };
}

/** What axe-core objects to, everything unfolded. A page's CSP doesn't hold for `evaluate`. */
async function violations(page) {
  await page.evaluate(() => inPage.unfold());
  await page.evaluate(axe.source);
  const found = await page.evaluate(() => globalThis.axe.run({ resultTypes: ["violations"] }));
  return found.violations.map(({ id, impact, help, nodes }) => ({
    id,
    impact,
    help,
    why: nodes[0].failureSummary,
    targets: nodes.map((node) => node.target.join(" ")),
  }));
}

/** What the page asks for beside itself, and what the browser complains about. */
async function requested(visit) {
  const requests = [];
  const complaints = [];
  const listen = (page) => {
    page.on("request", (request) => requests.push(request));
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(message.text());
    });
  };
  const look = async (page) => {
    await page.evaluate(() => inPage.unfold());
    await page.evaluate(() => inPage.scrollThrough());
    await page.waitForLoadState("networkidle");
    return page.url();
  };
  const own = await visit({ viewport: WIDE }, look, listen);
  const urls = requests.map((request) => request.url());
  return {
    requests: urls.filter((url) => url !== own && !/^(data|about):/.test(url)),
    console: complaints,
  };
}

/** The page by keyboard alone, at one width. Each check starts in a page of its own, at the top. */
async function keyboard(visit, viewport) {
  const { stops, problems } = await visit({ viewport }, walk);
  for (const check of [skipLinkProblems, foldProblems, scrollProblems]) {
    problems.push(...(await visit({ viewport }, check)));
  }
  return { width: viewport.width, stops: stops.map((stop) => stop.tag), problems };
}

/** From the top through the whole page by Tab. */
async function walk(page) {
  const stops = [];
  for (;;) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate(() => inPage.stop());
    if (!stop) break;
    stops.push(stop);
  }
  const expected = await page.evaluate(() => inPage.operable().map(inPage.tag));
  const reached = new Set(stops.map((stop) => stop.place));
  const told = (problem, of) => of.map((each) => `${problem}: ${each.tag ?? each}`);
  return {
    stops,
    problems: [
      ...told("never reached", expected.filter((_, place) => !reached.has(place))),
      ...told("out of order", stops.filter(comesLate)),
      // A box that scrolls may be a stop of its own accord.
      ...told("a stop for nothing", stops.filter((stop) => stop.place < 0 && !stop.scrolls)),
      ...told("no focus indicator", stops.filter((stop) => !stop.marked)),
      ...told("focused outside the viewport", stops.filter((stop) => !stop.inView)),
    ],
  };
}

/** Whether something further down the document came before this stop. */
function comesLate(stop, index, stops) {
  return stop.place >= 0 && stops.slice(0, index).some((earlier) => earlier.place > stop.place);
}

async function skipLinkProblems(page) {
  await page.keyboard.press("Tab");
  const isSkipLink = () => document.activeElement.matches('a[href="#content"]');
  if (!(await page.evaluate(isSkipLink))) return ["the first stop is no skip link to #content"];
  await page.keyboard.press("Enter");
  try {
    await page.waitForURL((url) => url.hash === "#content", { timeout: 5000 });
  } catch {
    return ["Enter on the skip link doesn't lead to #content"];
  }
  await page.keyboard.press("Tab");
  const isInMain = () => document.activeElement.closest("main") !== null;
  return (await page.evaluate(isInMain)) ? [] : ["after the skip link, Tab doesn't enter main"];
}

async function foldProblems(page) {
  const details = page.locator("details:visible").first();
  if ((await details.count()) === 0) return [];
  await details.locator("summary").first().focus();
  await page.keyboard.press("Enter");
  const [tag, open] = await details.evaluate((element) => [inPage.tag(element), element.open]);
  return open ? [] : [`Enter doesn't open: ${tag}`];
}

async function scrollProblems(page) {
  const problems = [];
  for (const box of await page.locator(".scroll").all()) {
    const needed = await box.evaluate((each) => inPage.isVisible(each) && inPage.overflows(each));
    if (!needed) continue;
    await box.focus();
    await page.keyboard.press("ArrowRight");
    if (await box.evaluate((element) => inPage.scrollsSideways(element))) continue;
    problems.push(`arrow keys don't scroll: ${await box.evaluate(inPageTag)}`);
  }
  return problems;
}

/** How far the page scrolls sideways, everything unfolded. It should not. */
async function overflow(page) {
  await page.evaluate(() => inPage.unfold());
  return page.evaluate(() => inPage.overflow());
}

/** What arrives on a click on the first few download links. */
async function downloads(page) {
  await page.evaluate(() => inPage.unfold());
  const found = [];
  for (const link of (await page.locator("a[download]").all()).slice(0, DOWNLOADS_TRIED)) {
    const started = page.waitForEvent("download", { timeout: 10_000 }).catch(() => null);
    await link.click();
    const download = await started;
    found.push({
      link: await link.evaluate(inPageTag),
      filename: download?.suggestedFilename() ?? null,
      bytes: download ? (await stat(await download.path())).size : 0,
    });
  }
  return found;
}

/** Pictures of the page as it opens, and its print. */
async function takeScreenshots(visit, folder) {
  for (const look of LOOKS) {
    const path = join(folder, `${look.viewport.width}-${look.colorScheme}.png`);
    await visit(look, (page) => page.screenshot({ path, fullPage: true }));
  }
  const print = { path: join(folder, "print.pdf"), format: "A4", printBackground: true };
  await visit({ viewport: WIDE }, (page) => page.pdf(print));
}

/** `ask` for each of `things`, one after the other: two cores don't like four browsers. */
async function inTurn(things, ask) {
  const answers = [];
  for (const thing of things) answers.push(await ask(thing));
  return answers;
}

async function inspect(visit) {
  return {
    axe: await inTurn(LOOKS, async (look) => ({
      width: look.viewport.width,
      scheme: look.colorScheme,
      violations: await visit(look, violations),
    })),
    ...(await requested(visit)),
    fragments: await visit({}, (page) => page.evaluate(() => inPage.references())),
    keyboard: await inTurn(VIEWPORTS, (viewport) => keyboard(visit, viewport)),
    overflow: await inTurn(VIEWPORTS, async (viewport) => ({
      width: viewport.width,
      ...(await visit({ viewport }, overflow)),
    })),
    downloads: await visit({ viewport: WIDE }, downloads),
  };
}

const text = { type: "string" };
const { values } = parseArgs({ options: { chromium: text, page: text, screenshots: text } });
const browser = await chromium.launch({ executablePath: values.chromium, args: SWITCHES });
try {
  const visit = visitor(browser, pathToFileURL(values.page).href);
  if (values.screenshots) await takeScreenshots(visit, values.screenshots);
  console.log(JSON.stringify(await inspect(visit), null, 1));
} finally {
  await browser.close();
}
