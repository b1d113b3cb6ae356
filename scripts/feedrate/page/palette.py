"""The colours of a drawing. The page puts a custom property in each one's place, for dark mode."""

COLOURS = {
    "ink": "#1a1a1a",
    "muted": "#5c5c5c",
    "grid": "#dddddd",
    "paper": "#ffffff",
    "series-1": "#0072b2",
    "series-2": "#c44e00",
    "series-3": "#007a5a",
    "series-4": "#8a4fbf",
}
