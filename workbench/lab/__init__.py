"""The lab: many games at once, on all cores or many machines, and what they show."""
