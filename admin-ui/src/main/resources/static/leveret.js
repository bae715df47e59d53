// Pages work without this. It freshens what the server marked with data-refresh (seconds), sends the policy form for its
// preview while it is being filled in, and focuses the filter on "/". It never moves focus, closes a fold or touches a form.
"use strict";
(() => {
  const SLOWEST = 60;
  const every = Number(document.body.dataset.every ?? 0);
  const asOf = document.getElementById("as-of");
  let missed = 0;

  const inUse = (part) => part.contains(document.activeElement) && document.activeElement.matches("input, select, textarea, button, a");

  const put = (part, html) => {
    const fresh = new DOMParser().parseFromString(html, "text/html").getElementById(part.id);
    if (!fresh || inUse(part)) return;
    const open = [...part.querySelectorAll("details[open][id]")].map((fold) => fold.id);
    const scroll = part.scrollLeft;
    part.replaceChildren(...fresh.childNodes);
    open.forEach((id) => document.getElementById(id)?.setAttribute("open", ""));
    part.scrollLeft = scroll;
  };

  const tell = (isFresh) => {
    missed = isFresh ? 0 : missed + 1;
    if (!asOf) return;
    if (isFresh) {
      asOf.textContent = "As of " + new Date().toISOString().substring(11, 19) + " UTC";
      asOf.className = "";
    } else if (missed === 3) {
      asOf.textContent = "not fresh: " + asOf.textContent.replace("As of ", "");
      asOf.className = "pill warn";
    }
  };

  // Parts that are due together come with one request: alone as a fragment, several with the page.
  const freshen = (parts, usual, wait) => {
    setTimeout(async () => {
      let next = wait;
      if (!document.hidden) {
        try {
          const headers = parts.length === 1 ? { "Leveret-Fragment": parts[0].id } : {};
          const answer = await fetch(location.href, { headers, redirect: "manual" });
          if (answer.type === "opaqueredirect" || answer.status === 401) {
            if (asOf) asOf.innerHTML = '<a href="/login">Signed out: log in</a>';
            return;
          }
          if (!answer.ok) throw new Error(String(answer.status));
          const html = await answer.text();
          parts.forEach((part) => put(part, html));
          tell(true);
          next = usual;
        } catch {
          tell(false);
          next = Math.min(wait * 2, SLOWEST);
        }
      }
      freshen(parts, usual, next);
    }, wait * 1000);
  };

  if (every > 0) {
    const due = new Map();
    document.querySelectorAll("[data-refresh][id]").forEach((part) => {
      const wait = Math.max(every, Number(part.dataset.refresh));
      due.set(wait, [...(due.get(wait) ?? []), part]);
    });
    due.forEach((parts, wait) => freshen(parts, wait, wait));
  }

  const preview = document.getElementById("policy-preview");
  const form = preview?.closest("form");
  if (form) {
    let timer;
    form.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(async () => {
        const fields = new URLSearchParams(new FormData(form));
        fields.set("do", "preview");
        try {
          const answer = await fetch(form.action, { method: "POST", body: fields, headers: { "Leveret-Fragment": preview.id } });
          if (answer.ok) put(preview, await answer.text());
        } catch {
          // The button "Preview" is still there.
        }
      }, 400);
    });
  }

  document.addEventListener("keydown", (key) => {
    const filter = document.querySelector("input[type=search]");
    if (key.key === "/" && filter && !key.ctrlKey && !key.metaKey && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) {
      key.preventDefault();
      filter.focus();
    }
  });
})();
