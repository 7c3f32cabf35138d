"""browser.py NAME=PAGE...: opens pages in headless Chromium, without a network, at the widths of a phone, a laptop and
a projector, light and dark. Prints one TAP line per page and aspect."""
import json
import pathlib
import shutil
import sys

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

WIDTHS = {"phone": (390, 844), "laptop": (1366, 768), "projector": (1920, 1080)}

LAYOUT = """
const faults = [], wide = innerWidth;
if (document.documentElement.scrollWidth > wide) faults.push('page is ' + document.documentElement.scrollWidth);
const visible = e => e.getClientRects().length > 0;
document.querySelectorAll('body *').forEach(e => {
  if (e.closest('svg, .frame, pre, .skip') && !e.matches('svg.plot, .frame, pre')) return;
  const box = e.getBoundingClientRect();
  if (visible(e) && (box.right > wide + 1 || box.left < -1)) faults.push(e.tagName + ' ' + e.className + ' overflows');
});
document.querySelectorAll('section').forEach(section => {
  let bottom = -Infinity;
  [...section.children].filter(visible).forEach(e => {
    const box = e.getBoundingClientRect();
    if (box.top < bottom - 1) faults.push(e.tagName + ' lies on what is before it in ' + section.id);
    bottom = box.bottom;
  });
});
return faults;
"""

MEANING = """
const faults = [], need = (good, what) => { if (!good) faults.push(what); };
need(document.documentElement.lang, 'no language');
need(document.title.trim(), 'no title');
need(document.querySelectorAll('main').length === 1, 'not one main');
need(document.querySelectorAll('h1').length === 1, 'not one h1');
const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
need(new Set(ids).size === ids.length, 'an id twice: ' + ids.find((id, i) => ids.indexOf(id) !== i));
let level = 1;
document.querySelectorAll('h1, h2, h3').forEach(h => {
  need(+h.tagName[1] <= level + 1, 'a level is left out before ' + h.textContent);
  need(h.textContent.trim(), 'an empty heading');
  level = +h.tagName[1];
});
document.querySelectorAll('[aria-labelledby]').forEach(e => {
  const name = document.getElementById(e.getAttribute('aria-labelledby'));
  need(name && name.textContent.trim(), 'no name: ' + e.tagName);
});
document.querySelectorAll('svg.plot').forEach(e => need(e.getAttribute('role') === 'img' &&
  e.getAttribute('aria-labelledby'), 'a picture without role and name'));
document.querySelectorAll('table').forEach(t => {
  need(t.caption && t.caption.textContent.trim(), 'a table without caption');
  need(t.tHead && [...t.tHead.querySelectorAll('th')].every(c => c.scope === 'col'), 'no column heads');
  [...t.tBodies[0].rows].forEach(r => need(r.cells[0].tagName === 'TH' && r.cells[0].scope === 'row', 'no row head'));
  const widths = new Set([...t.rows].map(r => r.cells.length));
  need(widths.size === 1, 'rows of different length: ' + t.caption.textContent);
});
document.querySelectorAll('a[href]').forEach(a => need(a.getAttribute('href').startsWith('#') &&
  document.getElementById(a.getAttribute('href').slice(1)), 'a link to nowhere: ' + a.getAttribute('href')));
document.querySelectorAll('.frame, pre').forEach(e => need(e.tabIndex === 0, 'scrolls without keyboard'));
need(!document.querySelector('script, iframe, object, embed, form'), 'active content');
document.querySelectorAll('*').forEach(e => [...e.attributes].forEach(a => need(!a.name.startsWith('on'), a.name)));
return faults;
"""

CONTRAST = """
const faults = [], seen = new Set();
const parts = c => (c.match(/[\\d.]+/g) || []).map(Number);
const light = c => { const [r, g, b] = parts(c).slice(0, 3).map(v => { v /= 255;
  return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
const back = e => { for (; e; e = e.parentElement) { const c = parts(getComputedStyle(e).backgroundColor);
  if (c.length === 3 || c[3] > 0) return getComputedStyle(e).backgroundColor; } return 'rgb(255, 255, 255)'; };
document.querySelectorAll('h1, h2, h3, p, th, td, caption, figcaption, a, summary, code').forEach(e => {
  const a = light(getComputedStyle(e).color), b = light(back(e));
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  if (ratio < 4.5 && !seen.has(e.tagName)) { seen.add(e.tagName); faults.push(e.tagName + ' ' + ratio.toFixed(2)); }
});
return faults;
"""

HOVER = """
const faults = [], points = [...document.querySelectorAll('svg.plot g > title + use')];
if (points.length === 0 && document.querySelector('svg.plot')) faults.push('no point has numbers');
points.forEach(use => {
  if (!/: [\\d.]+ at [\\d.e-]+/.test(use.previousElementSibling.textContent))
    faults.push('no number in ' + use.previousElementSibling.textContent);
});
if (points.length > 0) {
  points[0].scrollIntoView({ block: 'center' });
  const box = points[0].getBoundingClientRect();
  const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  if (!hit || !hit.closest('g').querySelector(':scope > title')) faults.push('the pointer does not reach a point');
}
return faults;
"""


def open_browser():
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or shutil.which("chromium-browser")
    for word in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))


def asked_for(browser, page):
    """What the page asked for besides itself."""
    found = []
    for entry in browser.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            url = message["params"]["request"]["url"]
            if url not in (page, page + "#") and not url.startswith("data:"):
                found.append(url)
    return found


class Tally:
    def __init__(self):
        self.count = self.failed = 0

    def tell(self, what, faults):
        self.count += 1
        self.failed += bool(faults)
        print(f"{'not ok' if faults else 'ok'} {self.count} - {what}")
        for fault in faults[:20]:
            print(f"# {fault}")


def look(browser, tally, name, path, shots):
    page = pathlib.Path(path).resolve().as_uri()
    browser.get_log("browser"), browser.get_log("performance")
    for width, (x, y) in WIDTHS.items():
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                {"width": x, "height": y, "deviceScaleFactor": 1, "mobile": False})
        browser.get(page)
        tally.tell(f"{name}: nothing overflows or overlaps on a {width}", browser.execute_script(LAYOUT))
        if shots:
            height = min(browser.execute_script("return document.documentElement.scrollHeight"), 12000)
            browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": x, "height": height, "deviceScaleFactor": 1, "mobile": False})
            browser.save_screenshot(f"{shots}/{name}-{width}.png")
    tally.tell(f"{name}: roles, names and tables", browser.execute_script(MEANING))
    tally.tell(f"{name}: the numbers behind the points", browser.execute_script(HOVER))
    for scheme in ("light", "dark"):
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        tally.tell(f"{name}: contrast, {scheme}", browser.execute_script(CONTRAST))
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    tally.tell(f"{name}: nothing is asked of a network", asked_for(browser, page))
    tally.tell(f"{name}: the console is silent", [entry["message"] for entry in browser.get_log("browser")])


def main():
    shots = next((word[8:] for word in sys.argv[1:] if word.startswith("--shots=")), None)
    tally, browser = Tally(), open_browser()
    try:
        for word in sys.argv[1:]:
            if not word.startswith("--"):
                look(browser, tally, *word.split("=", 1), shots)
    finally:
        browser.quit()
    print(f"1..{tally.count}")
    return tally.failed > 0


sys.exit(main())
