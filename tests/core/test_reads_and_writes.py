"""What a sentence only reads is never written, and what it asks for has a field."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.core.test_classify import shown
from workbench.model.meaning import Action, Ask, Assign, Judge, Several
from workbench.model.sentences.classify import classify

WRITES = {
    "Summarize $text into $summary": "$summary",
    "Summarize $text": "",
    "Save $report to file": "",
    "Save the $report to disk": "",
    "Save the result in $r": "$r",
    "Give $n to the committee": "",
    "Give the user $options": "",
    "Remember $name": "",
    "Remember the $name": "$name",
    "Record $x": "",
    "Page the team and record the $ticket": "$ticket",
    "Store $x in the database": "",
    "Write a $poem": "$poem",
    "Write the $report to disk": "",
    "Send $report to $boss": "",
    "As long as $n < 3": "",
    "Make sure $x is right": "",
    "Compute $total as the price times $quantity": "$total",
    "Calculate $tax based on $income": "$tax",
    "Use $tool to compute $result": "$result",
    "Find the $best of $offers": "$best",
    "Create a $list of $things": "$list",
    "Make a list of $things": "$things",
    "Put the result in $r": "$r",
    "Fill $form with $data": "$form",
    "Add $x to $list": "$list",
    "Append the $x to $xs": "$xs",
    "Remove $x from $xs": "$xs",
    "Reverse $xs": "$xs",
    "Shorten $text into $short": "$short",
    "Convert $amount from $currency to euros as $euros": "$euros",
    "Extract $name and $email from $text": "$name $email",
    "Extract `$name` from `$text`": "$name",
    "Let the user pick a $color": "$color",
    "Ask $helper to check the list": "",
    "Ask $helper for the $price": "$price",
    "Ask tax accountant what the $tax_rate would be for the $gross_income": "$tax_rate",
    "Ask the accountant for the tax": "",
    "Check the order, then set $status to what it is": "$status",
    "Ask the Accountant what $x costs and save it as $cost": "$cost",
    "Find the cheapest of $offers and call it $best": "$best",
    "Decide on $plan and store the result in $decision:str": "$decision:str",
    "Find $n:int cities and put them into $cities": "$n:int $cities",
    "Load $order from the database": "$order",
    "Load $order": "",
    "Look up the $order by $id": "$order",
    "Look up $word in the dictionary": "",
    "Call the weather service to get $temperature and $wind": "$temperature $wind",
    "Run $script to check $server": "",
    # rows of variables
    "Split $name into $first, $middle and $last": "$first $middle $last",
    "Save both names as $first and $last": "$first $last",
    "Parse $line -> $key, $value": "$key $value",
    "Add 5 to $x and $y": "$x $y",
    "Add $a to $list and $b to $other": "$list $other",
    "Sort $a and $b": "$a $b",
    "Update $a, $b and the $c": "$a $b $c",
    "Summarize $text into $short and tell the boss about $topic": "$short",
    "Set $x to the sum and $y to the product": "$x $y",
    "Set $a to $b and $b to $a": "$a $b",
    "Compare $a and $b": "",
    "Remember $a and $b": "",
    # how many, and what is calculated with: only read
    "Generate $n ideas for $topic": "",
    "List $n cities near $place as $cities": "$cities",
    "Suggest $n names and store them in $names": "$names",
    "Write $max_lines lines about $topic": "",
    "Extract $email addresses from $text": "$email",
    "Get the $phone number from $text": "$phone",
    "Fetch $customer orders into $orders": "$orders",
    "Compute $list average": "",
    "Compute $a + $b twice": "",
    "Generate $title/$subtitle for $article": "$title $subtitle",
    "Count $items": "",
    "Count the words in $text as $n": "$n",
    "Generate $title quickly": "$title",
    "Find the best $offer available": "$offer",
    "Propose $options": "$options",
    "Log in as $user": "",
    "Mark $ticket as $status": "",
    "Translate $text into $language": "",
    "Translate $text into German as $german": "$german",
    "Assign $ticket to $agent": "",
    "Assign 5 to $x": "$x",
}


@pytest.mark.parametrize("text", WRITES)
def test_a_judgement_fills_in_what_its_sentence_writes(text: str) -> None:
    judge = classify(text, has_children=False)
    assert isinstance(judge, Judge)
    assert shown(judge.outputs) == WRITES[text]


ASKS = {
    "Ask user for the number of $guests": "$guests",
    "Ask user for the value of $x": "$x",
    "Ask user for the name of the $town": "$town",
    "Ask user about their $mood": "$mood",
    "Ask the user a question about $topic": "",
    "Ask for `$name`": "$name",
    "Ask user for `$name` and `$age:int`": "$name $age:int",
    "Ask user for the $name of the $dog": "$name",
    "Ask user to choose $option from $options": "$option",
    "Ask user for a number between 1 and $max": "",
    "Ask user what $topic they like": "$topic",
    "Ask user if $x is right": "",
    "Ask which of $cities they want": "",
    "Ask user for their name": "$name",
    "Ask user for their email address and phone number": "$email_address $phone_number",
    "Prompt cards: short texts for the till": "",
    "Ask user for their": "",
    "Ask user for their name, age, and city": "$name $age $city",
    "Ask the user for the user's name": "$name",
    "Ask user for the city they live in": "$city",
    "Ask user for the number of guests": "$number_of_guests",
    "Ask user for their order number so that I can look it up": "$order_number",
    "Ask for email again": "$email",
    "Ask user for their order id till they give a valid one": "$order_id",
    "Ask user for their question or topic": "$question",
    "Ask user for their age and their $town": "$age $town",
    "Ask user for name, email and $phone:str": "$name $email $phone:str",
    "Ask user for $guests, dates and the budget": "$guests $dates $budget",
    "Ask user for $guests, dates, rooms and their $budget": "$guests $dates $rooms $budget",
    "Ask user for $guests, adults and children": "$guests",
    "Ask user for $n names": "$names",
    "Ask user for both names and save them as $first and $last": "$first $last",
    "Ask user for $count names as $people": "$people",
    "Ask user for the $phone numbers": "$phone",
    "Ask user for $rooms:int and their name": "$rooms:int $name",
    "Ask user for the $rooms and whether they smoke": "$rooms",
    "Ask user for their name and email as $contact": "$contact",
    "Ask user what their name is": "$name",
    "Ask user what is their favourite colour": "$favourite_colour",
    "Get their name from the user": "$name",
    "Collect email and phone number from the user": "$email $phone_number",
    'Ask user for their full name, e.g. "Ada"': "$full_name",
    "Ask user for help": "",
    "Ask user for confirmation": "",
    "Ask user for a joke about cats": "",
    "Ask user how they are": "",
    'Ask "What is your name?"': "",
}


@pytest.mark.parametrize("text", ASKS)
def test_a_question_has_a_field_for_all_that_it_asks_for(text: str) -> None:
    ask = classify(text, has_children=False)
    assert isinstance(ask, Ask)
    assert shown(ask.variables) == ASKS[text]


def test_what_is_computed_as_an_expression_is_exact() -> None:
    assign = classify("Compute $total as $price * $quantity", has_children=False)
    assert isinstance(assign, Assign)
    assert (assign.target.name, assign.value.source) == ("total", "$price * $quantity")


READING = st.sampled_from(
    "Save {} to file|Give {} to the user|Send {} to Bob|Tell Bob about {}|Remember {}|Look at {}|Check {}"
    "|Compare {} with it|Ask {} to help|Show Bob {}|Explain {}|Think about {}|Describe {} in few words"
    "|Make sure {} is right"
    "|Look up the weather in {}|Read {} aloud|Store {} in the database|Translate {} to German".split("|")
)
WRITING = st.sampled_from("Extract {} from the text|Work out {}|Choose a {}|Find the {}|Sum it up into {}".split("|"))
NAMES = st.sampled_from(["a", "text", "user_name", "größe", "list", "to", "as"])


def written(action: Action | object) -> set[str]:
    """The names that *action* sets."""
    match action:
        case Judge(outputs=variables) | Ask(variables=variables):
            return {one.name for one in variables}
        case Several(parts=parts):
            return {name for part in parts for name in written(part)}
    return set()


@given(READING, NAMES)
@settings(max_examples=examples(100))
def test_reading_never_writes(words: str, name: str) -> None:
    assert written(classify(words.format(f"${name}"), has_children=False)) == set()


@given(READING, WRITING, NAMES, NAMES, st.sampled_from([" and ", ", then ", "; ", ". ", ", "]))
@settings(max_examples=examples(200))
def test_what_one_part_reads_another_does_not_write(
    reading: str, writing: str, read: str, wrote: str, joint: str
) -> None:
    parts = [reading.format(f"${read}"), writing.format(f"${wrote}")]
    expected = {wrote}
    for first, second in (parts, parts[::-1]):
        text = first + joint + (second if joint == ". " else second[0].lower() + second[1:])
        assert written(classify(text, has_children=False)) == expected
