-- What an operator wrote of an agent is told to those who reported it as well: it goes from their events with the agent.
CREATE INDEX moderation_cases_of_agent ON moderation_cases (agent_id);

CREATE TRIGGER decisions_erased AFTER UPDATE OF erased_at ON erasures WHEN NEW.erased_at IS NOT NULL BEGIN
  UPDATE agent_events SET data = json_set(data, '$.reason', NULL, '$.outcomeReason', NULL)
    WHERE type = 'moderation.decided'
      AND agent_id IN (SELECT reports.agent_id FROM moderation_cases JOIN reports ON reports.case_id = moderation_cases.id
        WHERE moderation_cases.agent_id = NEW.agent_id)
      AND data ->> 'id' IN (SELECT id FROM moderation_cases WHERE agent_id = NEW.agent_id);
END;
