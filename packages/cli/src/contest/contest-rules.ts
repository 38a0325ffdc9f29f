export const CONTEST_RULES = {
  "penalty_minutes": {
    "type": "integer",
    "minimum": 0,
    "maximum": 10000
  },
  "admission": {
    "enum": ["open", "invited"]
  },
  "scoreboard": {
    "enum": ["participants", "users", "public"]
  },
  "clarifications": {
    "enum": ["any", "staff"]
  },
  "scoring": {
    "enum": ["icpc", "points"]
  },
  "medals": {
    "type": "object",
    "required": ["gold", "silver", "bronze"],
    "properties": {
      "gold": {
        "type": "integer",
        "minimum": 0,
        "maximum": 1000
      },
      "silver": {
        "type": "integer",
        "minimum": 0,
        "maximum": 1000
      },
      "bronze": {
        "type": "integer",
        "minimum": 0,
        "maximum": 1000
      }
    }
  }
} as const
