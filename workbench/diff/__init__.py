"""What two rulesets do differently: each difference in the rules, a position that shows it, and what it comes to."""
